import { useState } from 'react'
import styles from './stranger-picture.module.css'
import { words } from './words.ts'

interface StrangerPictureProps {
  mentionId: string
  kind: 'post' | 'author'
  /** What the platform named; only the server asks there. Null without a picture. */
  address: string | null | undefined
}

/** A picture of a post or its author, which the server gets from the platform. What cannot be shown takes no place. */
export function StrangerPicture({ mentionId, kind, address }: StrangerPictureProps) {
  const [failed, setFailed] = useState<string | null>(null)
  const source = `/pictures/${mentionId}/${kind}`
  if (!areShown() || address == null || failed === source) return null
  return (
    <img
      className={styles[kind]}
      src={source}
      alt={kind === 'post' ? words.postPicture : ''}
      loading="lazy"
      decoding="async"
      onError={() => setFailed(source)}
    />
  )
}

/** An installation without pictures says so in the shell. */
function areShown(): boolean {
  return document.documentElement.dataset['pictures'] !== 'off'
}
