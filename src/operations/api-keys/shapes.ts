import { z } from 'zod'
import { idOut, textOut, timeOut } from '../shapes.ts'

export const API_KEY_NAME_MAX = 80

export const scope = z.enum(['read', 'write']).meta({ description: 'A read key may use GET only.' })

export const apiKey = z
  .strictObject({
    id: idOut('key'),
    name: textOut(API_KEY_NAME_MAX),
    prefix: z
      .string()
      .max(20)
      .meta({ description: 'First characters of the key.', examples: ['ref_Zk3vQ1'] }),
    scope,
    createdAt: timeOut,
    lastUsedAt: timeOut.nullable().meta({ description: 'When the key was last used, to the minute; null if never.' }),
    expiresAt: timeOut.nullable().meta({ description: 'When the key expires; null if it does not.' }),
  })
  .meta({ id: 'ApiKey', description: 'An API key without its secret.' })

export const newApiKey = z
  .strictObject({
    ...apiKey.shape,
    key: z.string().max(60).meta({ description: 'The whole key. Returned only here.' }),
  })
  .meta({ id: 'NewApiKey', description: 'An API key with its secret, which is returned once.' })
