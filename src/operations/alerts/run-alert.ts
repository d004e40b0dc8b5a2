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
    'Sends the digest of the last run of a rule now, with everything that was scored up to this moment, and waits ' +
    'up to 12 seconds for the first attempts. A digest is sent once for each run: a run whose digest was sent ' +
    'before is skipped. What fails for the moment is tried again like every digest. The next run goes on where ' +
    'this one ended. A rule without a channel that is switched on has nobody to send to, which is no_channels.',
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
            'Why nothing was sent: the digest of the last run was sent before, or it is empty and the rule leaves ' +
            'empty ones out. Null when it was sent.',
        }),
      matched: countOut.meta({ description: 'Scored mentions that fit the filter, whatever their relevance.' }),
      relevant: countOut.meta({ description: 'Those of them that are relevant enough for the rule.' }),
      outcomes: z
        .array(
          z.strictObject({
            channelId: idOut('dest'),
            ok: z.boolean(),
            error: textOut(1000)
              .nullable()
              .meta({ description: 'Why it was not accepted at the first attempt; null when it was.' }),
          }),
        )
        .max(ALERT_LIMITS.channels)
        .meta({ description: 'Channel by channel; none when nothing was sent.' }),
    })
    .meta({ id: 'AlertRun', description: 'What became of a digest that was sent on request.' }),
  errors: ['not_a_digest', 'rule_disabled', 'no_channels'],
  limit: { name: 'runs', perMinute: 10 },
  tool: { name: 'run_alert', title: 'Send a digest now', destructive: false, idempotent: true, openWorld: true },
  run: (context, { params }) => runAlert(context, params.id, context.signal),
})
