import { z } from 'zod'
import { parseEgressAllow } from '../kernel/egress.ts'
import { LOG_LEVELS, type LogLevel } from '../kernel/log.ts'
import { readSealingKey } from '../kernel/sealing.ts'
import { oneOf, textWithout } from '../kernel/setting-forms.ts'
import type { SettingsTable, ValuesOf } from '../kernel/settings.ts'

/** What every process needs, whatever its role. */
export interface ProcessSettings {
  secretKey: string | null
  logLevel: LogLevel
  egressAllow: string[]
}

export const PROCESS_SETTINGS = {
  EARSHOT_SECRET_KEY: {
    meaning:
      'The key that seals the secrets of channels and waiting mails in the database, and links of invitations. ' +
      'Machines that share a database need the same one.',
    form: '32 bytes in base64 or hexadecimal',
    fallback: 'created once and stored in DATA_DIR/secret.key',
    secret: true,
    schema: textWithout((text) => {
      const key = readSealingKey(text)
      return 'problem' in key ? key.problem : null
    }),
  },
  EARSHOT_LOG_LEVEL: {
    meaning: 'Lowest level that is logged.',
    form: LOG_LEVELS.join(', '),
    default: 'info',
    schema: oneOf(LOG_LEVELS),
  },
} satisfies SettingsTable

export const EGRESS_SETTINGS = {
  EGRESS_ALLOW: {
    meaning:
      'Hosts and networks exempt from the ban on private addresses for webhooks and collectors; plain http is ' +
      'allowed to them.',
    form: 'host names, host:port, IP addresses or networks such as 10.0.0.0/8, separated by commas',
    fallback: 'none',
    schema: z.string().transform((text, context) => {
      const parsed = parseEgressAllow(text)
      if (Array.isArray(parsed)) return parsed
      context.addIssue({ code: 'custom', message: parsed.problem })
      return z.NEVER
    }),
  },
} satisfies SettingsTable

export function processSettingsOf(values: ValuesOf<typeof PROCESS_SETTINGS & typeof EGRESS_SETTINGS>): ProcessSettings {
  return {
    secretKey: values.EARSHOT_SECRET_KEY ?? null,
    logLevel: values.EARSHOT_LOG_LEVEL,
    egressAllow: values.EGRESS_ALLOW ?? [],
  }
}
