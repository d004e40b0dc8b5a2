import { z } from 'zod'
import { EVENT_LINE_MAX } from '../../domain/attention/event-line.ts'
import { ATTENTION_KINDS, ATTENTION_STATUSES, SUBJECT_TYPES } from '../../domain/attention/kinds.ts'
import { idOut, textOut, timeOut } from '../shapes.ts'

/** Something that deserves a look. */
export const attentionItem = z
  .strictObject({
    id: idOut('att'),
    kind: z
      .enum(ATTENTION_KINDS)
      .meta({ description: 'The name of the account event that told of it; deliveries.waiting sends none.' }),
    status: z
      .enum(ATTENTION_STATUSES)
      .meta({ description: 'open; resolved: it ended by itself; dismissed: by somebody, while it was open.' }),
    subject: z
      .strictObject({ type: z.enum(SUBJECT_TYPES), id: z.union([idOut('kw'), idOut('dest'), idOut('org')]) })
      .meta({
        description:
          'The keyword or channel that it is about, which may be gone; the workspace for deliveries.waiting.',
      }),
    title: textOut(EVENT_LINE_MAX).meta({
      description: 'What happened, in one line with its numbers. Names in it are what people typed.',
    }),
    openedAt: timeOut,
    resolvedAt: timeOut
      .nullable()
      .meta({ description: 'When its condition ended; null while it lasts, also where it is dismissed.' }),
    dismissedAt: timeOut.nullable(),
    data: z.record(textOut(40), z.unknown()).meta({
      description:
        'The data of its account event, as it was when the item opened; of deliveries.waiting held (counted up to ' +
        '100,000), waitingLimit and since.',
    }),
  })
  .meta({ id: 'AttentionItem', description: 'A spike, a noisy keyword, a failing channel or deliveries that wait.' })
