import { z } from 'zod'
import { EVENT_LINE_MAX } from '../../domain/attention/event-line.ts'
import { ATTENTION_KINDS, ATTENTION_STATUSES, SUBJECT_TYPES } from '../../domain/attention/kinds.ts'
import { idOut, textOut, timeOut } from '../shapes.ts'

/** Something that deserves a look. */
export const attentionItem = z
  .strictObject({
    id: idOut('att'),
    kind: z.enum(ATTENTION_KINDS).meta({
      description: 'Name of the account event of the item; `deliveries.waiting` and `disk.filling` send none.',
    }),
    status: z.enum(ATTENTION_STATUSES).meta({
      description:
        '`open`; `resolved`: its condition ended; `dismissed`: a person or program dismissed it while it ' +
        'was open.',
    }),
    subject: z
      .strictObject({ type: z.enum(SUBJECT_TYPES), id: z.union([idOut('kw'), idOut('dest'), idOut('org')]) })
      .meta({
        description: 'Keyword or channel of the item, which may be deleted; the workspace for items without an event.',
      }),
    title: textOut(EVENT_LINE_MAX).meta({
      description: 'What happened, in one line with figures. Names in it are user input.',
    }),
    openedAt: timeOut,
    resolvedAt: timeOut
      .nullable()
      .meta({ description: 'When the condition ended; null while it lasts, dismissed items included.' }),
    dismissedAt: timeOut.nullable(),
    data: z.record(textOut(40), z.unknown()).meta({
      description:
        'Data of the account event when the item opened. `deliveries.waiting` has `held` (counted up to ' +
        '100,000), `waitingLimit` and `since`. `disk.filling` has `daysLeft`, `freeBytes` and `bytesPerDay` of now.',
    }),
  })
  .meta({
    id: 'AttentionItem',
    description: 'A spike, a noisy keyword, a failing channel, held deliveries or a disk that fills.',
  })
