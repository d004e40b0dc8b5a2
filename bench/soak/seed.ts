import { createAlert } from '../../src/commands/alerts/create-alert.ts'
import { createApiKey } from '../../src/commands/api-keys/create-api-key.ts'
import { createChannel } from '../../src/commands/channels/create-channel.ts'
import { grantCredit } from '../../src/commands/wallet/grant-credit.ts'
import { createWorkspace } from '../../src/commands/workspaces/create-workspace.ts'
import type { Services } from '../../src/commands/writing.ts'
import { parseAuthorEntry } from '../../src/domain/post/author-entry.ts'
import { newUuid, type Uuid } from '../../src/kernel/ids.ts'
import { sql } from '../../src/store/database.ts'
import { accepted, stored } from '../../test/makers.ts'
import type { Plan } from './plan.ts'

/** What was put into the database. */
export interface Seeded {
  /** The workspaces of the plan, then those whose keywords move. */
  workspaces: readonly Workspace[]
  /** The ids of the plan's keywords by number. */
  keywordIds: readonly Uuid[]
  /** The secret of each hook by its number. */
  secrets: Record<string, string>
}

export interface Workspace {
  id: Uuid
  /** The hooks that its rules send to, and the relevance that each rule asks for. */
  hooks: readonly { hook: number; minRelevance: number }[]
  /** A key that may write; only where keywords move. */
  apiKey: string | null
}

/** Workspaces in which keywords come and go. */
export const MOVING_WORKSPACES = 4
/** Covers all keywords for longer than any run. */
const CREDIT_CENTS = 10_000_000
const PORTION = 10_000

/**
 * Workspaces with their rules by the commands of the service, keywords in bulk past them. One workspace in ten has no
 * rule, one has two rules, one has a rule with two channels; the others send every mention to one hook.
 */
export async function seedWorld(services: Services, plan: Plan, urlOf: (hook: number) => string): Promise<Seeded> {
  const { options } = plan
  const moving = options.movingTerms > 0 ? MOVING_WORKSPACES : 0
  const secrets: Record<string, string> = {}
  const workspaces: Workspace[] = []
  for (let number = 0; number < options.workspaces + moving; number += 1) {
    const id = await createWorkspace(services, `Workspace ${number}`)
    await grantCredit({ ...services, workspaceId: id }, CREDIT_CENTS)
    const hooks = await addRules(
      { ...services, workspaceId: id },
      options.rules && number < options.workspaces ? number % 10 : ALL_TO_ONE,
      urlOf,
      secrets,
    )
    const key =
      number < options.workspaces
        ? null
        : accepted(
            await createApiKey({ ...services, workspaceId: id }, { name: 'Soak', scope: 'write', expiresAt: null }),
          )
    workspaces.push({ id, hooks, apiKey: key?.key ?? null })
  }
  const keywordIds = await insertKeywords(services, plan, workspaces)
  return { workspaces, keywordIds, secrets }
}

const NO_RULE = 0
const TWO_RULES = 1
const TWO_CHANNELS = 2
const ALL_TO_ONE = 9
const RELEVANT = 40

async function addRules(
  writing: Services & { workspaceId: Uuid },
  kind: number,
  urlOf: (hook: number) => string,
  secrets: Record<string, string>,
): Promise<Workspace['hooks']> {
  const channel = async () => {
    const hook = Object.keys(secrets).length
    const made = accepted(await createChannel(writing, { kind: 'webhook', url: urlOf(hook) }))
    secrets[hook] = String((made.config as { secret?: string }).secret)
    return { hook, id: stored('dest', made.id) }
  }
  const rule = async (name: string, minRelevance: number, channels: readonly { hook: number; id: Uuid }[]) => {
    const channelIds = channels.map(({ id }) => id)
    accepted(
      await createAlert(writing, {
        name,
        mode: 'instant',
        event: 'mention.matched',
        filter: { minRelevance },
        channelIds,
        enabled: true,
      }),
    )
    return channels.map(({ hook }) => ({ hook, minRelevance }))
  }
  if (kind === NO_RULE) return []
  if (kind === TWO_CHANNELS) return await rule('Everything', 0, [await channel(), await channel()])
  const all = await rule('Everything', 0, [await channel()])
  return kind === TWO_RULES ? [...all, ...(await rule('Relevant', RELEVANT, [await channel()]))] : all
}

async function insertKeywords({ db, clock }: Services, plan: Plan, workspaces: readonly Workspace[]): Promise<Uuid[]> {
  const at = clock.now()
  const ids: Uuid[] = []
  for (let begin = 0; begin < plan.options.keywords; begin += PORTION) {
    const rows = Array.from({ length: Math.min(PORTION, plan.options.keywords - begin) }, (_, offset) => {
      const number = begin + offset
      const { term, platforms, matching } = plan.keyword(number)
      const id = newUuid(at)
      ids.push(id)
      return {
        workspace_id: workspaces[plan.workspaceOf(number)]!.id,
        id,
        term,
        platforms,
        ...matching,
        excludedAuthorKeys: matching.excludedAuthors.map(keyOf),
      }
    })
    await db.query(sql`
      with t as (select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (workspace_id uuid, id uuid,
        term text, platforms text[], "requiredTerms" text[], "requiredMode" text,
          "excludedTerms" text[], "excludedAuthors" text[], "excludedAuthorKeys" text[], "caseSensitive" boolean)),
        made as (
          insert into keyword (workspace_id, id, group_id, term, term_folded, kind, platforms, required_terms,
            required_mode, excluded_terms, excluded_authors, excluded_author_keys,
            case_sensitive, muted, created_at, judged_since)
          select t.workspace_id, t.id, g.id, t.term, lower(t.term), 'brand', t.platforms, t."requiredTerms",
            t."requiredMode", t."excludedTerms", t."excludedAuthors", t."excludedAuthorKeys",
            t."caseSensitive", false, ${at}, ${at}
          from t join keyword_group g on g.workspace_id = t.workspace_id and g.is_default returning workspace_id, id)
      insert into keyword_counter (workspace_id, keyword_id, month)
      select workspace_id, id, date_trunc('month', ${at}::timestamptz)::date from t`)
  }
  return ids
}

/** The form of an author's profile link that is compared. */
function keyOf(entry: string): string {
  const parsed = parseAuthorEntry(entry)
  if (!('normal' in parsed)) throw new Error(`${entry} is nobody's profile`)
  return parsed.normal
}
