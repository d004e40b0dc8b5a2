/** What a team tells of its company. Texts are empty and addresses null where nothing is told. */
export interface CompanyProfile {
  name: string
  description: string
  /** What people use the products for. */
  useCases: string[]
  competitors: string[]
  /** Links of profiles. */
  accounts: { x: string | null; linkedin: string | null }
  website: string | null
  /** What makes a post relevant to the team, and what does not. */
  guidelines: string
}

/** The longest texts of a company, in characters, and the longest lists. */
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
  /** Longer than anything that can be composed from the rest. */
  context: 16_000,
} as const

/**
 * The text that the classifier reads while the team has not written one. Few words beside the team's own and no
 * addresses, because every word of it is taken for one that matters. Empty when nothing is told.
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
