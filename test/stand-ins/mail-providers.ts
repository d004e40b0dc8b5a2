import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import type { FetchDocument } from '../../src/commands/oauth/know-client.ts'
import { type SnsMessage, signedText } from '../../src/surfaces/inbound/mail/sns.ts'

/** A message as it goes over the wire. */
export interface SentReport {
  body: string
  headers: Record<string, string>
}

/** As SendGrid shows a verification key. */
export function publicKeyOn(namedCurve: string): string {
  return generateKeyPairSync('ec', { namedCurve }).publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
}

export function createMailgunStandIn(signingKey: string) {
  return (
    event: object,
    { at, token = 'a'.repeat(50), by = 'signature' }: { at: Date; token?: string; by?: string },
  ): SentReport => {
    const timestamp = String(Math.floor(at.getTime() / 1000))
    const signature = createHmac('sha256', signingKey)
      .update(timestamp + token)
      .digest('hex')
    const signatures = { signature: 'b'.repeat(64), [by]: signature }
    return {
      body: JSON.stringify({ signature: { timestamp, token, ...signatures }, 'event-data': event }),
      headers: {},
    }
  }
}

export function createSendgridStandIn() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  return {
    key: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    report(events: unknown, at: Date): SentReport {
      const body = JSON.stringify(events)
      const timestamp = String(Math.floor(at.getTime() / 1000))
      const signature = sign('sha256', Buffer.from(timestamp + body), privateKey).toString('base64')
      return {
        body,
        headers: {
          'x-twilio-email-event-webhook-signature': signature,
          'x-twilio-email-event-webhook-timestamp': timestamp,
        },
      }
    },
  }
}

/** Amazon SNS in one region, with what it was asked for. */
export function createSnsStandIn(topic: string) {
  const host = 'https://sns.eu-west-1.amazonaws.com'
  const certificateUrl = `${host}/SimpleNotificationService-0123456789abcdef.pem`
  const asked: string[] = []
  const failing = new Set<string>()
  const fetchDocument: FetchDocument = async (url) => {
    asked.push(url)
    if (failing.has(url)) return null
    const text = url.endsWith('.pem') ? CERTIFICATE : '<ConfirmSubscriptionResponse/>'
    return { status: 200, contentType: null, cacheControl: null, ageSeconds: null, text }
  }
  const message = (fields: Partial<SnsMessage>, at: Date): SentReport => {
    const whole: SnsMessage = {
      Type: 'Notification',
      MessageId: crypto.randomUUID(),
      TopicArn: topic,
      Message: 'A line of text.',
      Timestamp: at.toISOString(),
      SignatureVersion: '2',
      Signature: '',
      SigningCertURL: certificateUrl,
      ...fields,
    }
    const hash = whole.SignatureVersion === '1' ? 'sha1' : 'sha256'
    const Signature = fields.Signature ?? sign(hash, Buffer.from(signedText(whole)), KEY).toString('base64')
    return { body: JSON.stringify({ ...whole, Signature }), headers: { 'content-type': 'text/plain; charset=UTF-8' } }
  }
  return {
    asked,
    failing,
    fetchDocument,
    certificateUrl,
    confirmUrl: `${host}/?Action=ConfirmSubscription&TopicArn=${topic}&Token=abc`,
    message,
    /** A notification of SES. */
    tell: (event: object, at: Date, fields: Partial<SnsMessage> = {}) =>
      message({ Message: JSON.stringify(event), ...fields }, at),
  }
}

/** Known to everybody, and believed by nobody but these tests. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIDGzCCAgOgAwIBAgIUOOh8ZrfphBdj106ioyGZnsZdfVkwDQYJKoZIhvcNAQEL
BQAwHDEaMBgGA1UEAwwRc25zLmFtYXpvbmF3cy5jb20wIBcNMjYxMTI3MTY1OTAz
WhgPMjEyNjExMDMxNjU5MDNaMBwxGjAYBgNVBAMMEXNucy5hbWF6b25hd3MuY29t
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAmJ6hYTELofX4EE2RbIEF
cnNmUJFWEzIrrV6JzmJ+/Ghc/hfNTunl45QLE8gz3ERoZ9J2jfAFrvTMDg3bKWDv
yO0+++EC4Krxnank++KnqcDIiW150+oPosRmKGfcNJqzxVRs5J6x5M3GgR4ItBSw
Ch9XyzULv5TzpwnSjZ5wsMUvNx7Zwebpb95IKI88PlBmf5+pY25d+wvms7KcLbXO
/Uuq18wCoAFRllpxSX77oiMDJnts3LsesfmcwrC/gwteEwBMgLr+MP1wN0vyLhIL
KCQYPGOtGNr7uZ2N65xHP3sfWQvaOYJASsMjcYus3bZxlU2Eprmvhz9otXGvs39C
ywIDAQABo1MwUTAdBgNVHQ4EFgQUvsjDx1eb9kcCdfzcTu6T5l+uOKYwHwYDVR0j
BBgwFoAUvsjDx1eb9kcCdfzcTu6T5l+uOKYwDwYDVR0TAQH/BAUwAwEB/zANBgkq
hkiG9w0BAQsFAAOCAQEAWyTgA0R/vyksdZdNDtgdYxn6e3WxFf5Zfb60FR6jUIbG
JfoJ9eMpKY0zIIX0dE9KWdkRafMhtqwcAQ9Fj03tshFz3nHZkMHGN+hz1XPtks90
Z+6ic2wlN7LCHuwXz6lgBjEusQaKig4grangQ/Dnxj5YxvsdBeRg3ZZ/TXMbQncI
QiKq3ghyvk90jMvlwtGxw30GgsflEPpjZmkYfZTIHSV+HZ5APturC7mYJywV20Av
LfUlAcDTt1qoqWwvqlFulglC/7bhnKY/evkd8ItuYZ1Rs8sPSkXioRyn/PBL948Q
yqK6SmSPoEqmOBfpmqmdeNsQLZn6LElptmWX+0wvmQ==
-----END CERTIFICATE-----
`
const KEY = `-----BEGIN PRIVATE KEY-----
MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQCYnqFhMQuh9fgQ
TZFsgQVyc2ZQkVYTMiutXonOYn78aFz+F81O6eXjlAsTyDPcRGhn0naN8AWu9MwO
DdspYO/I7T774QLgqvGdqeT74qepwMiJbXnT6g+ixGYoZ9w0mrPFVGzknrHkzcaB
Hgi0FLAKH1fLNQu/lPOnCdKNnnCwxS83HtnB5ulv3kgojzw+UGZ/n6ljbl37C+az
spwttc79S6rXzAKgAVGWWnFJfvuiIwMme2zcux6x+ZzCsL+DC14TAEyAuv4w/XA3
S/IuEgsoJBg8Y60Y2vu5nY3rnEc/ex9ZC9o5gkBKwyNxi6zdtnGVTYSmua+HP2i1
ca+zf0LLAgMBAAECggEAAl2j78Wnjs7cYqUcX3u1uDTDJCjHyX79TImXuXjIy73Z
NZRSrOn7ejMiltLQJvzY4RJTBYrWc7dWU6A+wpElNmg8q5sTa3GK7EakoFjyADO9
iA/UrYaTA0Y0tTFvwur9y83Hhr9Rz6B29sWetrfpYK0xGoFlTLndqwjmccAmfz73
hY266v+qlTaMqEPNeI6KwyI5Tz+5JuHhDYzD6YRFsGmYU59f9lFKBZ0HCWxnk14I
T4GsmGIdX2lFbvgiHB/Q+uDF36Pg11rxTRb+kdeKBkyvHDwudo+l9T/KoqQbtTJ0
e1MBGliC9ZAGoUL5q31wUkzgP1WziXEmHpt0iIAXVQKBgQDL4LftTFRuSnFgsmh8
EdNpOgxKAC6/SRQ8vdGB/0aNFohpO8kYTgfLFPkqIQHnGpll2NmlxarfcL4eLqYf
hezJkB8j9pU09OTMGnKnCnKmtKjmkpq4ftPC3GjbE56WoRAys996a7Lmuj4omopN
PInBUbao82gj17nkjZxNgrr0DwKBgQC/ozJQizJ56qcFcfQD8ev2X49Hh+FMcXMH
6+VR87leAKV8a5Pw+YmOChLrq/fgcxLbCCLSsUfl95BN25c+EymKbtUs+K8aF0i7
fVAeWcyIZpopV7Z8HOkhGgy8gxVdbzqMCUTCpfdXBqHpGklI1Tv02MUctkefzxmS
bfHF4+cZhQKBgB+v+6ZMOMszks+eqxKtiphOR16xDJL6fsS6E/gKfyKqn+ULP8Qh
TKDJz7g2jR8oSTNFMv7K7DXyRfpW8cbwf88MMWrbhnFGptD6Q1unCg7TAXVkz9th
CvS8YSe7suhifCwFPPTADHxD8ilJa7l5cUe0tZkoy8TWYLQfNm3tpbUNAoGAJA9l
bFqFCQPqoc+rhwKC0D1zDJa5AlVmu9rbr+wYuWONwDfOAs4x4BRtMwONBSMiLSz+
wH6zdMZ81Om5L+kTLAVm/6tb56DyArW12cA0CIamA5mJsRkPlTb9potT/dzsO2WT
Fr18KVgKJ37Ww2m8eno/vQNfvuaNfUxK7l3QIrECgYBlujU5QPUxDiDHK8Pf9NmK
VHmqoUbwgRCirdjzZ9o1l6XI+10ISip+f3CzSw95sIcwAsIofR3fpQMT8yXdGoyJ
OCrqCRJO6tua3e/CyRSznBVCalJa5JpD1ToxJm1O1MJOsmArE05X54vvNHlekfmg
wTpwNcfmMtf7wQecOm+Eyw==
-----END PRIVATE KEY-----
`
