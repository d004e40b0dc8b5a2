import { StartError } from './start-error.ts'
import { cleanLine } from './text.ts'

export interface SmtpServer {
  host: string
  port: number
  secure: boolean
  auth: { user: string; pass: string } | null
  /** On this machine. */
  here: boolean
}

export function serverOf(smtpUrl: string): SmtpServer {
  const url = new URL(smtpUrl)
  const secure = url.protocol === 'smtps:'
  const usualPort = secure ? 465 : 587
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase()
  const auth = url.username === '' ? null : { user: decoded(url.username), pass: decoded(url.password) }
  return {
    host,
    port: url.port === '' ? usualPort : Number(url.port),
    secure,
    auth,
    here: /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host),
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new StartError(
      'SMTP_URL: the user or password holds a % that does not begin an encoded character; write it as %25.',
    )
  }
}

export function senderOf(from: string): { name: string; address: string } {
  const [, name, address] = /^([^<]*)<([^<>]+)>$/.exec(from) ?? ['', '', from]
  return { name: cleanLine(name ?? ''), address: (address ?? '').trim() }
}
