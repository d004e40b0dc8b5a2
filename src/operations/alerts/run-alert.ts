import { z } from 'zod'
import { runAlert } from '../../commands/alerts/run-alert.ts'
import { defineOperation } from '../definition.ts'
import { countOut, idIn, idOut, textOut } from '../shapes.ts'
import { ALERT_LIMITS } from './shapes.ts'

export const runAlertOperation = defineOperation({
  id: 'run-alert',
  method: 'POST',
  path: '/v1/alerts/{id}/run',
  access: 'write',
  summary: 'Send a digest now',
  description:
    "Sends the digest of the rule's last run now, with every mention scored so far, and waits up to " +
    '12 seconds for the first attempts. Each run has one digest: if it was sent before, it is ' +
    'skipped. Failed attempts are retried like those of any digest. The next run starts where this ' +
    'one ended. A rule without an enabled channel returns `no_channels`.',
  tag: 'Alerts',
  params: { id: idIn('feed') },
  status: 200,
  output: z
    .strictObject({
      skipped: z
        .enum(['already_sent', 'empty'])
        .nullable()
        .meta({
          description:
            'Why nothing was sent: the digest was sent before, or it is empty and the rule skips empty ' +
            'digests. Null when it was sent.',
        }),
      matched: countOut.meta({ description: 'Scored mentions that match the filter, at any relevance.' }),
      relevant: countOut.meta({ description: 'Matched mentions that are relevant enough for the rule.' }),
      outcomes: z
        .array(
          z.strictObject({
            channelId: idOut('dest'),
            ok: z.boolean(),
            error: textOut(1000)
              .nullable()
              .meta({ description: 'Why the first attempt failed; null when it succeeded.' }),
          }),
        )
        .max(ALERT_LIMITS.channels)
        .meta({ description: 'Outcome for each channel; empty when nothing was sent.' }),
    })
    .meta({ id: 'AlertRun', description: 'Outcome of a digest that was sent on request.' }),
  errors: ['not_a_digest', 'rule_disabled', 'no_channels'],
  limit: { name: 'runs', perMinute: 10 },
  tool: { name: 'run_alert', title: 'Send a digest now', destructive: false, idempotent: true, openWorld: true },
  run: (context, { params }) => runAlert(context, params.id, context.signal),
})
