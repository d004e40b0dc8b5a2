import type { Author, Post } from '../../domain/post/post.ts'
import { cleanLine, excerpt } from '../../kernel/text.ts'
import { htmlToText } from '../html-text.ts'
import { boundedAddress, normalPost } from '../normal-post.ts'
import type { Channel, Thread, Video } from './wire.ts'

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

/** `video` is null where it is known by its id only. */
export function threadToPost({ id, snippet }: Thread, video: Post | null, at: Date): Post | null {
  const said = snippet.topLevelComment.snippet
  const { text, links } = htmlToText(said.textDisplay)
  if (text === '') return null
  const page = `${SITE}/watch?v=${snippet.videoId}`
  const channel = said.authorChannelId?.value ?? null
  const name = said.authorDisplayName ?? null
  return normalPost(
    {
      platform: 'youtube',
      nativeId: id,
      url: `${page}&lc=${id}`,
      text,
      links,
      publishedAt: new Date(said.publishedAt),
      engagement: { likes: said.likeCount, replies: snippet.totalReplyCount },
      replyTo: { author: video?.author?.name ?? null, url: page, text: video?.title ?? null },
      author: {
        id: channel,
        name,
        handle: name?.startsWith('@') ? name : null,
        url: channel === null ? null : channelUrl(channel),
        avatarUrl: said.authorProfileImageUrl ?? null,
      },
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
