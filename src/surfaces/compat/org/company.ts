import { z } from 'zod'
import { type CompanyChange, updateCompany } from '../../../commands/company/update-company.ts'
import { isRefusal, refuse } from '../../../domain/refusal/refusal.ts'
import { COMPANY_LIMITS } from '../../../domain/workspace/company.ts'
import { lineIn, textIn, textOut } from '../../../operations/shapes.ts'
import { type Company, getCompany, getOwnContext } from '../../../queries/company.ts'
import { type CompatContext, defineCompat } from '../define.ts'
import { entriesOf, numberIdOut, orElse } from '../fields.ts'
import { renamed } from '../renamed.ts'

/** Characters of a context here; ours may be longer and is kept. */
const CONTEXT_MAX = 400
const LIST_MAX = 10_000

/** Fields of the other vendor that a company here does not have. */
const MISSING = [
  'domain',
  'website',
  'logo',
  'industry',
  'sector',
  'tags',
  'companyMoat',
  'classificationGuidelines',
] as const

const nothing = z.null()
const companyOut = z
  .strictObject({
    id: numberIdOut,
    name: textOut(COMPANY_LIMITS.name),
    domain: nothing,
    website: nothing,
    logo: nothing,
    industry: nothing,
    sector: nothing,
    tags: nothing,
    description: textOut(COMPANY_LIMITS.description),
    linkedin: textOut(COMPANY_LIMITS.account).nullable().meta({ description: 'Name in the profile link.' }),
    twitter: textOut(COMPANY_LIMITS.account).nullable().meta({ description: 'Handle.' }),
    relevanceContext: textOut(COMPANY_LIMITS.ownContext).nullable(),
    productUseCases: textOut(LIST_MAX).nullable().meta({ description: 'Comma-separated.' }),
    competitors: textOut(LIST_MAX).nullable().meta({ description: 'JSON text: [{"name": "..."}].' }),
    companyMoat: nothing,
    relevanceGuidelines: textOut(COMPANY_LIMITS.guidelines).nullable(),
    classificationGuidelines: nothing,
  })
  .meta({ id: 'Company', description: 'Company profile that the classifier reads.' })

/** Names out of JSON text; descriptions are not kept. */
const competitorsIn = z
  .string()
  .max(LIST_MAX)
  .nullable()
  .transform((text, context): string[] => {
    const parsed = competitorList.safeParse(text === null || text === '' ? [] : jsonOf(text))
    if (parsed.success) return parsed.data.map(({ name }) => name)
    context.addIssue({ code: 'custom', message: 'must be JSON text: a list of objects with a name', input: text })
    return z.NEVER
  })

const competitorList = z
  .array(
    z.strictObject({
      name: lineIn(1, COMPANY_LIMITS.competitor),
      description: z.string().max(LIST_MAX).nullable().optional(),
    }),
  )
  .max(COMPANY_LIMITS.competitors)

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const useCasesIn = z
  .string()
  .max(LIST_MAX)
  .nullable()
  .transform((text, context): string[] => {
    const entries = entriesOf(text ?? '')
    if (entries.length > COMPANY_LIMITS.useCases)
      context.addIssue({ code: 'custom', message: `must have at most ${COMPANY_LIMITS.useCases} entries`, input: text })
    if (entries.some((entry) => [...entry].length > COMPANY_LIMITS.useCase))
      context.addIssue({
        code: 'custom',
        message: `has an entry longer than ${COMPANY_LIMITS.useCase} characters`,
        input: text,
      })
    return entries
  })

const off = z.unknown().optional().meta({ description: 'Answered 501.' })

const companyIn = z
  .strictObject({
    name: textIn(0, COMPANY_LIMITS.name).nullable().optional(),
    description: textIn(0, COMPANY_LIMITS.description).nullable().optional(),
    productUseCases: useCasesIn.optional(),
    competitors: competitorsIn.optional(),
    relevanceContext: textIn(0, CONTEXT_MAX).nullable().optional(),
    relevanceGuidelines: textIn(0, COMPANY_LIMITS.guidelines).nullable().optional(),
    twitter: textIn(0, COMPANY_LIMITS.account).nullable().optional(),
    linkedin: textIn(0, COMPANY_LIMITS.account).nullable().optional(),
    domain: off,
    website: off,
    logo: off,
    industry: off,
    sector: off,
    tags: off,
    companyMoat: off,
    classificationGuidelines: off,
  })
  .refine((body) => Object.keys(body).length > 0, orElse('must hold at least one field'))

export const getCompanyCompat = defineCompat({
  id: 'get-company',
  method: 'GET',
  path: '/org/company',
  access: 'read',
  summary: 'Get the company',
  description: 'Returns the company profile. Fields that are not kept here are null.',
  tag: 'Organization',
  output: companyOut,
  run: async (context) => shown(context, await getCompany(context)),
})

export const updateCompanyCompat = defineCompat({
  id: 'update-company',
  method: 'PATCH',
  path: '/org/company',
  access: 'write',
  summary: 'Update the company',
  description: 'Updates the fields that are sent; null clears. Fields that are not kept here are answered 501.',
  tag: 'Organization',
  body: companyIn,
  output: companyOut,
  errors: ['feature_disabled'],
  run: async (context, { body }) => {
    const missing = MISSING.find((name) => name in body)
    if (missing !== undefined) return refuse('feature_disabled', missingText(missing))
    const changed = await updateCompany(context, changeFrom(body))
    return isRefusal(changed) ? renamed(changed, FIELD_NAMES) : await shown(context, changed)
  },
})

function missingText(name: (typeof MISSING)[number]): string {
  const instead = name === 'classificationGuidelines' ? ' Use relevanceGuidelines.' : ''
  return `${name} is not kept here.${instead} Nothing was changed.`
}

const FIELD_NAMES = {
  'accounts.x': 'twitter',
  'accounts.linkedin': 'linkedin',
  guidelines: 'relevanceGuidelines',
  context: 'relevanceContext',
  useCases: 'productUseCases',
} as const

function changeFrom(body: z.output<typeof companyIn>): CompanyChange {
  const { name, description, productUseCases, competitors, relevanceContext, relevanceGuidelines, twitter, linkedin } =
    body
  const accounts = twitter === undefined && linkedin === undefined ? undefined : { x: twitter, linkedin }
  return {
    name,
    description,
    useCases: productUseCases,
    competitors,
    accounts,
    guidelines: relevanceGuidelines,
    context: relevanceContext,
  }
}

async function shown(
  context: CompatContext<'read'> | CompatContext<'write'>,
  company: Company,
): Promise<z.input<typeof companyOut>> {
  const { workspaceId, numbers } = context
  const numberOf = await numbers.of([{ kind: 'company', id: workspaceId }])
  return {
    id: numberOf(workspaceId),
    name: company.name,
    domain: null,
    website: null,
    logo: null,
    industry: null,
    sector: null,
    tags: null,
    description: company.description,
    linkedin: nameIn(company.accounts.linkedin, /^https:\/\/www\.linkedin\.com\/company\/([^/]+)$/),
    twitter: nameIn(company.accounts.x, /^https:\/\/x\.com\/([^/]+)$/),
    relevanceContext: await getOwnContext(context),
    productUseCases: company.useCases.length === 0 ? null : company.useCases.join(', '),
    competitors:
      company.competitors.length === 0 ? null : JSON.stringify(company.competitors.map((name) => ({ name }))),
    companyMoat: null,
    relevanceGuidelines: company.guidelines || null,
    classificationGuidelines: null,
  }
}

/** A link of another form is shown as it is, and may be sent so. */
function nameIn(link: string | null, form: RegExp): string | null {
  return link === null ? null : (form.exec(link)?.[1] ?? link)
}
