import { parseAuthorEntry } from '../../domain/post/author-entry.ts'
import { isRefusal, type Refusal, refuse, refuseField } from '../../domain/refusal/refusal.ts'
import { COMPANY_LIMITS, type CompanyProfile, composedContext } from '../../domain/workspace/company.ts'
import { webAddress } from '../../kernel/text.ts'
import { type Company, getCompany } from '../../queries/company.ts'
import { sql, type Transaction } from '../../store/database.ts'
import type { WritingContext } from '../writing.ts'

/** Absent fields stay; null and empty texts clear. */
export interface CompanyChange {
  name?: string | null | undefined
  description?: string | null | undefined
  useCases?: readonly string[] | null | undefined
  competitors?: readonly string[] | null | undefined
  accounts?: { x?: string | null | undefined; linkedin?: string | null | undefined } | null | undefined
  website?: string | null | undefined
  guidelines?: string | null | undefined
  /** The text for the classifier; null composes it from the profile. */
  context?: string | null | undefined
  ifVersion?: number | undefined
}

/** Posts scored from then on use the new profile. Equal values change nothing. */
export async function updateCompany(
  writing: WritingContext,
  change: CompanyChange,
): Promise<Company | Refusal<'stale_version' | 'validation_error'>> {
  const { db, clock, workspaceId } = writing
  return await db.transaction(async (tx) => {
    const ownBefore = await lockOwnContext(tx, writing)
    const before = await getCompany({ db: tx, workspaceId })
    if (change.ifVersion !== undefined && change.ifVersion !== before.version)
      return refuse('stale_version', `The company has version ${before.version} by now; read it again`)
    const profile = profileAfter(before, change)
    if (isRefusal(profile)) return profile
    const ownContext = change.context === undefined ? ownBefore : change.context || null
    const context = ownContext ?? composedContext(profile)
    if (ownContext === ownBefore && JSON.stringify(profile) === JSON.stringify(profileAfter(before, {}))) return before
    await tx.query(sql`
      update company set name = ${profile.name}, description = ${profile.description},
        use_cases = ${profile.useCases}::text[], competitors = ${profile.competitors}::text[],
        account_x = ${profile.accounts.x}, account_linkedin = ${profile.accounts.linkedin},
          website = ${profile.website}, guidelines = ${profile.guidelines},
        own_context = ${ownContext}, context = ${context}, version = version + 1, updated_at = ${clock.now()}
      where workspace_id = ${workspaceId}`)
    return await getCompany({ db: tx, workspaceId })
  })
}

/** The team's own text for the classifier, or null. Locks the company. */
async function lockOwnContext(tx: Transaction, { workspaceId }: WritingContext): Promise<string | null> {
  await tx.query(sql`
    insert into company (workspace_id, updated_at) select id, created_at from workspace where id = ${workspaceId}
      on conflict (workspace_id) do nothing`)
  const [row] = await tx.query<{ own_context: string | null }>(
    sql`select own_context from company where workspace_id = ${workspaceId} for update`,
  )
  return row!.own_context
}

function accountsAfter(
  before: Company['accounts'],
  change: CompanyChange['accounts'],
): Company['accounts'] | Refusal<'validation_error'> {
  const x = normalOf(change?.x, (text) => profileLink('x', text))
  if (isRefusal(x)) return x
  const linkedin = normalOf(change?.linkedin, (text) => profileLink('linkedin', text))
  if (isRefusal(linkedin)) return linkedin
  return change === null
    ? { x: null, linkedin: null }
    : { x: after(before.x, x, null), linkedin: after(before.linkedin, linkedin, null) }
}

function profileAfter(before: Company, change: CompanyChange): CompanyProfile | Refusal<'validation_error'> {
  const address = normalOf(change.website, addressFrom)
  if (isRefusal(address)) return address
  const accounts = accountsAfter(before.accounts, change.accounts)
  if (isRefusal(accounts)) return accounts
  return {
    name: after(before.name, change.name, ''),
    description: after(before.description, change.description, ''),
    useCases: [...new Set(after<readonly string[]>(before.useCases, change.useCases, []))],
    competitors: [...new Set(after<readonly string[]>(before.competitors, change.competitors, []))],
    accounts,
    website: after(before.website, address, null),
    guidelines: after(before.guidelines, change.guidelines, ''),
  }
}

function after<Value>(before: Value, change: Value | null | undefined, cleared: Value): Value {
  return change === undefined ? before : (change ?? cleared)
}

type Read = string | Refusal<'validation_error'>

function normalOf(text: string | null | undefined, read: (text: string) => Read): Read | null | undefined {
  if (text) return read(text)
  return text === '' ? null : text
}

/** Checks the length of the normal form, which may exceed that of the input. */
function within(field: string, most: number, address: string): Read {
  return [...address].length <= most
    ? address
    : refuseField(field, `must have at most ${most} characters once it is written out`)
}

/** Also accepts an address without a scheme. */
function addressFrom(text: string): Read {
  const address = webAddress(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)
  const host = address === null ? '' : new URL(address).hostname
  return address !== null && host.includes('.')
    ? within('website', COMPANY_LIMITS.website, address)
    : refuseField('website', 'must be a web address')
}

const PROFILES = { x: 'https://x.com/', linkedin: 'https://www.linkedin.com/company/' } as const

/** Accepts a profile link, an @handle or a name. */
function profileLink(platform: keyof typeof PROFILES, text: string): Read {
  const name = text.replace(/^@/, '')
  const parsed = parseAuthorEntry(/^[^\s/.]+$/.test(name) ? `${PROFILES[platform]}${name}` : text)
  const field = `accounts.${platform}`
  if ('normal' in parsed && parsed.platform === platform) return within(field, COMPANY_LIMITS.account, parsed.normal)
  return refuseField(field, `must be a profile of ${platform === 'x' ? 'X' : 'LinkedIn'}: its link or its name`)
}
