import type { Post } from '../../domain/post/post.ts'
import { askAtOnce } from '../at-once.ts'
import type { CollectContext } from '../contract.ts'
import { boundedAddress } from '../normal-post.ts'
import { withoutTracking } from './to-post.ts'

export const SITE_HOST = 'www.producthunt.com'
/** One request each; the links of further posts stay redirects. */
const MOST_LINKS = 5
const REDIRECT = `https://${SITE_HOST}/r/`

/** The website of a product is written as a redirect of the platform. */
export async function enrich(context: CollectContext, posts: readonly Post[]): Promise<Post[]> {
  const redirects = new Set(posts.flatMap(({ links }) => links.filter((link) => link.startsWith(REDIRECT))))
  const targets = new Map<string, string>()
  await askAtOnce(context, [...redirects].slice(0, MOST_LINKS), async (link) => {
    const { headers } = await context.fetch(link, { redirect: 'manual' })
    const target = boundedAddress(headers['location'])
    if (target !== null) targets.set(link, withoutTracking(target))
  })
  return posts.map((post) => ({ ...post, links: [...new Set(post.links.map((link) => targets.get(link) ?? link))] }))
}
