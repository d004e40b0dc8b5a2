/** Unknown texts are empty, unknown addresses null. */
export interface CompanyProfile {
  name: string
  description: string
  useCases: string[]
  competitors: string[]
  /** Profile links. */
  accounts: { x: string | null; linkedin: string | null }
  website: string | null
  /** What makes a post relevant to the team. */
  guidelines: string
}

/** Lengths in characters. */
export const COMPANY_LIMITS = {
  name: 120,
  description: 2000,
  useCases: 20,
  useCase: 200,
  competitors: 50,
  competitor: 100,
  account: 300,
  website: 500,
  guidelines: 2000,
  ownContext: 4000,
  /** Longer than any composed context. */
  context: 16_000,
} as const

/**
 * The classifier's context while the team has written none. It adds few words and no addresses, because every word
 * counts as significant. Empty without a profile.
 */
export function composedContext({ name, description, useCases, competitors, guidelines }: CompanyProfile): string {
  return [
    name === '' ? '' : `${name}.`,
    description,
    useCases.length > 0 ? `Used for: ${useCases.join('; ')}.` : '',
    competitors.length > 0 ? `Competitors: ${competitors.join('; ')}.` : '',
    guidelines,
  ]
    .filter(Boolean)
    .join('\n')
}
