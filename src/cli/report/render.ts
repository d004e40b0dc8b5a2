import type { Terminal } from '../terminal/terminal.ts'
import type { ReportFormat } from './formats.ts'
import type { Report } from './gather.ts'
import { htmlReport } from './html.ts'
import { markdownReport } from './markdown.ts'
import { textReport } from './text.ts'

export function renderReport(report: Report, format: ReportFormat, terminal: Terminal): string {
  if (format === 'html') return htmlReport(report)
  return format === 'markdown' ? markdownReport(report) : textReport(report, terminal)
}
