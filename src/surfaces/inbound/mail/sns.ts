import { type KeyObject, verify, X509Certificate } from 'node:crypto'
import { z } from 'zod'
import type { FetchDocument } from '../../../commands/oauth/know-client.ts'
import { canParse } from '../../../kernel/can-parse.ts'

export const snsMessage = z.object({
  Type: z.enum(['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation']),
  MessageId: z.string().min(1).max(100),
  TopicArn: z.string().max(400),
  Subject: z.string().nullish(),
  Message: z.string(),
  Timestamp: z.iso.datetime(),
  SignatureVersion: z.enum(['1', '2']),
  Signature: z.base64().max(2000),
  SigningCertURL: z.string().max(500),
  SubscribeURL: z.string().max(2000).optional(),
  Token: z.string().max(1000).optional(),
})

export type SnsMessage = z.output<typeof snsMessage>

/** Partition, region, account, name. */
const TOPIC = /^arn:(aws|aws-cn|aws-us-gov):sns:([a-z]{2,4}(?:-[a-z]{1,12}){1,3}-\d{1,2}):\d{12}:[A-Za-z0-9_-]{1,256}$/

/** Whether `text` is an ARN of a standard topic. */
export function isTopic(text: string): boolean {
  return TOPIC.test(text)
}

/**
 * Null for what is no ARN. Only the region of the topic is trusted: with any other word in its place, the host could be
 * a bucket of a stranger at another service of Amazon.
 */
function hostOf(topic: string): string | null {
  const [, partition, region] = TOPIC.exec(topic) ?? []
  return region === undefined ? null : `sns.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}`
}

/** Null for an address that is not of the SNS of the topic's region. */
function addressOfSns(text: string, topic: string): URL | null {
  if (!canParse(text)) return null
  const url = new URL(text)
  const isOfSns = url.protocol === 'https:' && url.host === hostOf(topic) && url.username === '' && url.password === ''
  return isOfSns ? url : null
}

/** Whether visiting the address confirms a subscription to this topic, and does nothing else. */
export function isConfirmation(text: string, topic: string): boolean {
  const url = addressOfSns(text, topic)
  return (
    url !== null &&
    url.pathname === '/' &&
    url.searchParams.getAll('Action').join() === 'ConfirmSubscription' &&
    url.searchParams.getAll('TopicArn').join() === topic
  )
}

/** SNS changes its certificate about once a year. */
const KEYS_MAX = 8

type KeyAt = (message: SnsMessage) => Promise<KeyObject | 'unavailable' | null>

/** Keys of certificates, kept by address; null for an address or a certificate that is not of SNS. */
export function createSnsKeys(fetchDocument: FetchDocument): KeyAt {
  const known = new Map<string, KeyObject>()
  return async ({ SigningCertURL: text, TopicArn: topic }) => {
    const url = addressOfSns(text, topic)
    if (url === null || !/^\/[\w.-]{1,200}\.pem$/.test(url.pathname) || url.search !== '') return null
    const kept = known.get(url.href)
    if (kept !== undefined) return kept
    const fetched = await fetchDocument(url.href)
    if (fetched?.status !== 200) return 'unavailable'
    const key = keyOf(fetched.text)
    if (key === null) return null
    if (known.size >= KEYS_MAX) known.clear()
    known.set(url.href, key)
    return key
  }
}

/** Whose certificate it is, the host tells that it came from. */
function keyOf(certificate: string): KeyObject | null {
  try {
    const { publicKey } = new X509Certificate(certificate)
    return publicKey.asymmetricKeyType === 'rsa' ? publicKey : null
  } catch {
    return null
  }
}

export function isSignedBySns(message: SnsMessage, key: KeyObject): boolean {
  const hash = message.SignatureVersion === '1' ? 'sha1' : 'sha256'
  return verify(hash, Buffer.from(signedText(message)), key, Buffer.from(message.Signature, 'base64'))
}

const SIGNED = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
} as const

/** Names and values of what is there, a line each. */
export function signedText(message: SnsMessage): string {
  return SIGNED[message.Type].flatMap((name) => (message[name] == null ? [] : [`${name}\n${message[name]}\n`])).join('')
}
