import type { Author, Post } from '../../domain/post/post.ts'
import { cleanLine, excerpt } from '../../kernel/text.ts'
import { boundedAddress, normalPost } from '../normal-post.ts'
import type { Channel, Video } from './wire.ts'

const SITE = 'https://www.youtube.com'
const NAME_CHARACTERS = 200

export function toPost({ id, snippet, statistics }: Video, at: Date): Post | null {
  const description = snippet.description ?? ''
  return normalPost(
    {
      platform: 'youtube',
      nativeId: id,
      url: `${SITE}/watch?v=${id}`,
      title: snippet.title,
      text: description,
      imageUrl: imageOf(snippet.thumbnails),
      publishedAt: new Date(snippet.publishedAt),
      languageTag: snippet.defaultAudioLanguage ?? snippet.defaultLanguage,
      engagement: statistics
        ? { likes: statistics.likeCount, replies: statistics.commentCount, views: statistics.viewCount }
        : null,
      author: { id: snippet.channelId, name: snippet.channelTitle ?? null, url: channelUrl(snippet.channelId) },
    },
    at,
  )
}

/** The largest of the pictures. */
function imageOf(thumbnails: Video['snippet']['thumbnails']): string | undefined {
  const { maxres, standard, high, medium, default: smallest } = thumbnails ?? {}
  return (maxres ?? standard ?? high ?? medium ?? smallest)?.url
}

export function toAuthor({ id, snippet, statistics }: Channel): Author {
  const { high, medium, default: smallest } = snippet.thumbnails ?? {}
  const handle = snippet.customUrl ?? ''
  return {
    id,
    name: excerpt(cleanLine(snippet.title ?? ''), NAME_CHARACTERS) || null,
    // Channels without a handle have an older name here.
    handle: /^@\S{1,100}$/.test(handle) ? handle : null,
    url: channelUrl(id),
    avatarUrl: boundedAddress((medium ?? high ?? smallest)?.url),
    followers: statistics?.hiddenSubscriberCount ? null : (statistics?.subscriberCount ?? null),
    automated: null,
  }
}

function channelUrl(id: string): string {
  return `${SITE}/channel/${id}`
}
