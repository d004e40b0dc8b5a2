import { z } from 'zod'
import { NAMED_PLATFORMS } from '../../domain/platform/platforms.ts'
import { NAMED_SOURCE_STATUSES } from '../../queries/sources/named-sources.ts'
import { idOut, textOut, timeOut } from '../shapes.ts'

export const namedPlatform = z.enum(NAMED_PLATFORMS)

export const namedSource = z
  .strictObject({
    id: idOut('src'),
    platform: namedPlatform,
    address: textOut(1000).meta({ description: 'The address that is read; the one that was sent may lead to it.' }),
    title: textOut(200).nullable().meta({ description: 'The name that the feed or forum gives itself.' }),
    status: z
      .enum(NAMED_SOURCE_STATUSES)
      .meta({ description: '`waiting`: not read yet. `failing`: the last read failed.' }),
    lastReadAt: timeOut.nullable().meta({ description: 'Last read that succeeded; null for none.' }),
    lastPostAt: timeOut.nullable().meta({ description: 'Last read that brought a new post, matched or not.' }),
    nextReadAt: timeOut,
    lastError: textOut(400).nullable().meta({ description: 'Why the last read failed; null if it succeeded.' }),
    createdAt: timeOut,
  })
  .meta({ id: 'NamedSource', description: 'A feed or forum that the workspace named.' })
