export const REPORT_FORMATS = ['text', 'markdown', 'html'] as const
export type ReportFormat = (typeof REPORT_FORMATS)[number]
