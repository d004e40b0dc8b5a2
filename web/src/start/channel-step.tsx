import { type ComponentType, useState } from 'react'
import { RadioCards } from '../kit/field.tsx'
import { BrowserCard } from './browser-card.tsx'
import type { CardProps } from './card-props.ts'
import { EmailCard } from './email-card.tsx'
import { FeedCard } from './feed-card.tsx'
import { SlackCard } from './slack-card.tsx'
import styles from './start.module.css'
import { isReady } from './steps.ts'
import { TelegramCard } from './telegram-card.tsx'
import { WebhookCard } from './webhook-card.tsx'
import { words } from './words.ts'

const CARDS = {
  browser: BrowserCard,
  webhook: WebhookCard,
  slack: SlackCard,
  telegram: TelegramCard,
  email: EmailCard,
  feed: FeedCard,
} as const satisfies Record<string, ComponentType<CardProps>>

type CardName = keyof typeof CARDS

const OPTIONS = (Object.keys(CARDS) as CardName[]).map((name) => ({
  value: name,
  label: words.kindNames[name],
  hint: words.kindHints[name],
}))

/** Kinds of channels that wait for somebody to connect a chat or to confirm an address. */
const WAITING_KINDS = ['telegram', 'email'] as const

export function ChannelStep({ channels }: CardProps) {
  const waiting = WAITING_KINDS.find((kind) => channels.some((channel) => channel.kind === kind && !isReady(channel)))
  const [name, setName] = useState<CardName>(waiting ?? 'browser')
  const Card = CARDS[name]
  return (
    <div className={styles.stack}>
      <RadioCards legend={words.where} options={OPTIONS} value={name} onChange={setName} />
      <div className={styles.panel}>
        <Card key={name} channels={channels} />
      </div>
    </div>
  )
}
