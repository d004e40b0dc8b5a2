import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createEmptyDatabase } from '../../test/database-server.ts'
import { sql } from '../../test/database-setup.ts'
import { accountIdOf } from '../domain/person/account.ts'
import { PLATFORMS, platformNumber } from '../domain/post/platform.ts'
import { newUuid } from '../kernel/ids.ts'
import { accountFacet } from './filter/facets.ts'

const FOLDER = join(import.meta.dirname, 'migrations')
const WORKSPACE = '01900000-0000-7000-8000-00000000abcd' as ReturnType<typeof newUuid>
const KEYWORD = '01900000-0000-7000-8000-000000000001'

/** Every way in which an author is told from others, on every platform at least once. */
const AUTHORS = [
  { id: 'did:plc:a', name: 'Ada', handle: 'Ada.Example', url: 'https://a.example' },
  { id: null, name: 'Ada', handle: 'Ada.EXAMPLE', url: 'https://a.example' },
  { id: '', name: 'Ada', handle: null, url: 'https://a.example/Ä?b=1' },
  { id: null, name: 'Ada "the \\ Countess" 林 🦊', handle: '', url: null },
  { id: null, name: null, handle: null, url: null },
  null,
]

test('mentions from before get the account and the facet that they would have been given, and their authors are counted', async () => {
  const place = await createEmptyDatabase()
  const run = (statement: string) => sql<{ id: string }>(place.connection, statement)
  try {
    const names = readdirSync(FOLDER)
      .filter((name) => name.endsWith('.sql'))
      .sort()
    const before = names.filter((name) => name < '0014')
    for (const name of before) await run(readFileSync(join(FOLDER, name), 'utf8'))
    await run(
      `insert into workspace (id, name, created_at, settled_through) values ('${WORKSPACE}', 'Acme', now(), now())`,
    )
    await run(
      `insert into keyword_group (workspace_id, id, name, name_folded, is_default, created_at, updated_at) values ('${WORKSPACE}', '${KEYWORD}', 'G', 'g', true, now(), now())`,
    )
    await run(`insert into keyword (workspace_id, id, group_id, term, term_folded, kind, required_terms, required_mode, excluded_terms, excluded_authors, excluded_author_keys, case_sensitive, muted,
      created_at, judged_since) values ('${WORKSPACE}', '${KEYWORD}', '${KEYWORD}', 't', 't', 'competitor', '{}', 'any', '{}', '{}', '{}', false, false, now(), now())`)
    const at = new Date('2026-11-20T00:00:00.000Z')
    const expected = []
    for (const platform of PLATFORMS) {
      for (const author of AUTHORS) {
        const [post, mention] = [newUuid(at), newUuid(at)]
        const json = author === null ? 'null' : `'${JSON.stringify(author)}'`
        await run(`insert into post (id, platform, native_id, url, body, links, published_at, author, collected_at)
          values ('${post}', ${platformNumber(platform)}, '${post}', 'https://p.example', '', '{}', '${at.toISOString()}', ${json}, now())`)
        const scored = author?.name !== 'Ada' || author.id !== ''
        await run(`insert into mention (workspace_id, id, keyword_id, post_id, created_at, published_at, platform, is_reply, facets, scored_at, relevance, sentiment, intents)
          values ('${WORKSPACE}', '${mention}', '${KEYWORD}', '${post}', now(), '${at.toISOString()}', ${platformNumber(platform)}, false, '{7}', ${scored ? 'now(), 40, 2, 5' : 'null, null, null, null'})`)
        const account = accountIdOf(WORKSPACE, platform, author)
        expected.push({
          id: mention,
          account_id: account,
          facets: account === null ? ['7'] : ['7', accountFacet(WORKSPACE, account)],
          noted: account !== null && scored,
        })
      }
    }
    await run(readFileSync(join(FOLDER, names.find((name) => name.startsWith('0014'))!), 'utf8'))
    const rows =
      await run(`select m.id, m.account_id, m.facets::text[] as facets, exists (select from account_change c where c.post_id = m.post_id and c.account_id = m.account_id
      and c.platform = m.platform and c.seen_at = m.published_at and (c.kind, c.mentions, c.relevant, c.positive, c.neutral, c.negative, c.intents) = ('competitor', 1, 1, 0, 0, 1, 5)) as noted
      from mention m order by id`)
    expect(rows).toEqual(expected)
  } finally {
    await place.drop()
  }
})
