import { makeKeyword, makePost, matchedBy, score, store, type TestKeyword } from '../../../test/mentions.ts'
import type { TestWorkspace, World } from '../../../test/world.ts'
import { foldPeople } from '../../commands/people/fold-people.ts'
import type { Verdict } from '../../domain/mention/classification.ts'
import { accountIdOf } from '../../domain/person/account.ts'
import type { Author, Post } from '../../domain/post/post.ts'
import { toId } from '../../kernel/ids.ts'

export interface Writes {
  author?: Partial<Author>
  post?: Partial<Post>
  verdict?: Partial<Verdict> | null
  keyword?: TestKeyword
  /** How many mentions; 1 unless told otherwise. */
  mentions?: number
}

/** Has somebody write, scores it, and answers the id under which they are listed. */
export async function writes(world: World, workspace: TestWorkspace, name: string, what: Writes = {}): Promise<string> {
  const keyword = what.keyword ?? (await makeKeyword(workspace))
  const author = {
    id: `did:plc:${name}`,
    name,
    handle: `${name}.example`,
    url: null,
    avatarUrl: null,
    followers: null,
    automated: null,
    ...what.author,
  }
  const posts = Array.from({ length: what.mentions ?? 1 }, () => makePost(world, { author, ...what.post }))
  const made = await store(
    world,
    posts.map((post) => matchedBy(post, [keyword])),
  )
  await score(world, made, what.verdict)
  await foldPeople(world.services)
  return toId('aut', accountIdOf(workspace.workspaceId, posts[0]!.platform, author)!)
}
