/** Unknown: empty texts, null addresses. */
export interface CompanyProfile {
  name: string
  description: string
  useCases: string[]
  competitors: string[]
  accounts: { x: string | null; linkedin: string | null }
  website: string | null
  /** What is relevant to the team. */
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
  context: 16_000,
} as const

/**
 * The classifier's context while the team has written none. It adds few words and no addresses, because every word
 * counts as significant.
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
