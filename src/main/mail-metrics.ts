import { counter, gauge, type MetricsOf } from '../kernel/metrics.ts'

export const MAIL_METRICS = {
  mails: counter(
    'earshot_mails_total',
    'Attempts to send a mail, by what they led to: sent, retry, given_up, or unopened for one sealed with ' +
      'another key.',
    ['outcome'],
  ),
  mailsWaiting: gauge(
    'earshot_mails_waiting',
    'Mails that no mail server has taken yet, of all processes together. Processes that work look every half minute.',
    [],
  ),
}

export type MailMetrics = MetricsOf<typeof MAIL_METRICS>
