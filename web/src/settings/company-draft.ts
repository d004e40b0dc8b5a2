import type { Company, CompanyChange } from '../api/company.ts'

/** The profile as a form holds it: empty texts for what is missing. */
export interface CompanyDraft {
  name: string
  website: string
  description: string
  useCases: string[]
  competitors: string[]
  x: string
  linkedin: string
  guidelines: string
}

export function companyDraftOf(company: Company): CompanyDraft {
  const { name, website, description, useCases, competitors, accounts, guidelines } = company
  return {
    ...{ name, description, useCases, competitors, guidelines },
    website: website ?? '',
    x: accounts.x ?? '',
    linkedin: accounts.linkedin ?? '',
  }
}

/** Changed fields of the form as the API takes them; an empty text clears a field. */
export function toCompanyChange({ x, linkedin, website, ...plain }: Partial<CompanyDraft>): CompanyChange {
  const accounts = {
    ...(x === undefined ? {} : { x: x.trim() || null }),
    ...(linkedin === undefined ? {} : { linkedin: linkedin.trim() || null }),
  }
  return {
    ...plain,
    ...(website === undefined ? {} : { website: website.trim() || null }),
    ...(Object.keys(accounts).length === 0 ? {} : { accounts }),
  }
}
