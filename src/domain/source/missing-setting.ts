/** A setting that the operator has to make before a platform is collected, for people. */
export interface MissingSetting {
  name: string
  meaning: string
  form: string
  /** Addresses of which each leads to a value. */
  getAt: string[]
  /** What the service behind the value charges; null if nothing is bought. */
  price: string | null
}
