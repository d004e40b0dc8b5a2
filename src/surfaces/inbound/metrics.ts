import { counter, type MetricsOf } from '../../kernel/metrics.ts'

export const MAIL_REPORT_METRICS = {
  mailReports: counter(
    'earshot_mail_reports_total',
    'Hard bounces and complaints that mail providers reported, repeated ones too.',
    ['provider', 'reason'],
  ),
}

export type MailReportMetrics = MetricsOf<typeof MAIL_REPORT_METRICS>
