import type { Post } from '../../domain/post/post.ts'
import { htmlToText } from '../html-text.ts'
import { boundedAddress, normalPost } from '../normal-post.ts'
import type { Episode } from './wire.ts'

/** The author of an episode is its show. */
export function toPost(episode: Episode, at: Date): Post | null {
  const show = `https://podcastindex.org/podcast/${episode.feedId}`
  const notes = htmlToText(episode.description ?? '')
  return normalPost(
    {
      platform: 'podcasts',
      nativeId: String(episode.id),
      url: boundedAddress(episode.link) ?? `${show}?episode=${episode.id}`,
      title: htmlToText(episode.title).text,
      text: notes.text,
      links: [...notes.links, episode.enclosureUrl],
      imageUrl: episode.image || episode.feedImage,
      publishedAt: new Date(episode.datePublished * 1000),
      languageTag: episode.feedLanguage,
      author: {
        id: String(episode.feedId),
        name: episode.feedTitle ?? null,
        url: show,
        avatarUrl: episode.feedImage ?? null,
      },
    },
    at,
  )
}
