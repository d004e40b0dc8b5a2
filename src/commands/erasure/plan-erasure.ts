import { type ErasurePlan, planOf } from '../../domain/erasure/erasure-plan.ts'
import { authorFromName, isNamed, type NamedAuthor, parseNamedAuthor } from '../../domain/erasure/named-author.ts'
import { HANDLE_PLATFORMS, handlesOfEntry, keysOfHandle } from '../../domain/person/handle.ts'
import { factsOf } from '../../domain/platform/platforms.ts'
import { type Author, UNKNOWN_AUTHOR } from '../../domain/post/post.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { readAuthorsWith } from '../../store/erasure/author-posts.ts'
import { peopleBehind } from '../authors/handle-keys.ts'
import type { Services } from '../writing.ts'

interface FoundAuthor {
  author: Author
  posts: number
}

/**
 * Whom the text names, by the stored posts, by handles that were looked up and by asking a platform for free. Refuses a
 * name that several accounts have had. An author without posts gets a plan too, so that none is ever stored.
 */
export async function planErasure(
  services: Services,
  given: string,
): Promise<ErasurePlan | Refusal<'validation_error' | 'conflict'>> {
  const named = parseNamedAuthor(given)
  if (isRefusal(named)) return named
  const behind = await idBehind(services, named)
  const isMeant = ({ author }: FoundAuthor) => isNamed(named, author) || (behind !== null && author.id === behind)
  const first = (await findAuthors(services, named, behind === null ? [] : [behind])).filter(isMeant)
  const ids = [...new Set([...first.map(({ author }) => author.id), behind])].filter((id): id is string => Boolean(id))
  if (ids.length > 1) return ambiguous(named, first, ids)
  const [id = null] = ids
  // The same account under other handles.
  const found = id === null ? first : (await findAuthors(services, named, [id])).filter(hasId(id, isMeant))
  const authors = found.map(({ author }) => author)
  if (authors.length === 0)
    authors.push({ ...UNKNOWN_AUTHOR, ...authorFromName(named), ...(id === null ? {} : { id }) })
  return planOf(named.platform, authors)
}

function hasId(id: string, isMeant: (found: FoundAuthor) => boolean): (found: FoundAuthor) => boolean {
  return (found) => (found.author.id ? found.author.id === id : isMeant(found))
}

function findAuthors({ db }: Services, { platform, within }: NamedAuthor, ids: readonly string[]) {
  return readAuthorsWith(db, platform, [...new Set([within, encodeURIComponent(within), ...ids])])
}

/** Null where the platform knows people by one name only, or does not answer. */
async function idBehind(services: Services, { platform, normal }: NamedAuthor): Promise<string | null> {
  if (!HANDLE_PLATFORMS.some((item) => item === platform)) return null
  const profile = factsOf(platform).handles?.profile ?? ''
  const entry = normal.includes('://') ? normal : `${profile}${normal}`
  if (handlesOfEntry(entry).length === 0) return null
  const { identities } = await peopleBehind(services, [entry], { preview: true })
  return (
    identities.find((identity) => identity.platform === platform && keysOfHandle(identity).includes(entry))?.id ?? null
  )
}

function ambiguous({ platform }: NamedAuthor, found: readonly FoundAuthor[], ids: readonly string[]) {
  const accounts = ids.map((id) => {
    const own = found.filter(({ author }) => author.id === id)
    const posts = own.reduce((sum, item) => sum + item.posts, 0)
    const handle = own.find(({ author }) => author.handle)?.author.handle
    return `${platform}:${id} (${handle ? `${handle}, ` : ''}${posts} ${posts === 1 ? 'post' : 'posts'})`
  })
  return refuse('conflict', `Several accounts have or had this name: ${accounts.join(', ')}. Name one by its id.`)
}
