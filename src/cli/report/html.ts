import type { Schema } from '../../client/index.ts'
import { type Html, html } from '../../kernel/markup.ts'
import { cleanLine } from '../terminal/clean.ts'
import type { Report, Row } from './gather.ts'
import { authorOf, changeOf, countOf, EXCERPT, excerptOf, openSentence, periodOf, titleOf } from './words.ts'

const FONT = 'font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif'
const CELL = 'padding:6px 12px 6px 0;border-bottom:1px solid #e3e3e0;text-align:left;vertical-align:top'
const NUMBER = `${CELL};text-align:right`
const QUIET = 'color:#5c5c57;font-size:13px'

/** Programs for mail drop sheets, scripts and pictures, so that styles stand at each element and nothing is loaded. */
export function htmlReport(report: Report): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${titleOf(report)}</title>
</head>
<body style="margin:0;padding:24px 16px;background:#ffffff;color:#1c1c1a;${FONT};font-size:15px;line-height:1.5">
<div style="max-width:640px;margin:0 auto">
<h1 style="font-size:22px;margin:0 0 4px">${titleOf(report)}</h1>
<p style="margin:0 0 16px;${QUIET}">${periodOf(report)}</p>
${tableOf(
  ['Figure', 'Value', 'Change'],
  report.figures.map((figure) => [figure.name, countOf(figure.value), changeOf(figure)]),
)}
${report.keywords.length > 0 && rowTable('Keyword', report.keywords)}
${report.platforms.length > 0 && rowTable('Platform', report.platforms)}
${report.top.length > 0 && listOf('Most engagement', report.top)}
${report.negative.length > 0 && listOf('Negative, most urgent first', report.negative)}
<p style="margin:24px 0 0">${openSentence(report)}
<a href="${report.url}/inbox" style="color:#1f5fbf">Open the inbox</a></p>
</div>
</body>
</html>
`.text
}

function heading(title: string): Html {
  return html`<h2 style="font-size:17px;margin:28px 0 8px">${title}</h2>`
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): Html {
  const cell = (text: string, at: number, tag: 'td' | 'th') =>
    tag === 'th'
      ? html`<th style="${at === 0 ? CELL : NUMBER};font-weight:600">${text}</th>`
      : html`<td style="${at === 0 ? CELL : NUMBER}">${text}</td>`
  const line = (cells: readonly string[], tag: 'td' | 'th') =>
    html`<tr>${cells.map((text, at) => cell(cleanLine(text), at, tag))}</tr>\n`
  return html`<table role="presentation" style="border-collapse:collapse;width:100%;font-size:14px">
${line(head, 'th')}${rows.map((cells) => line(cells, 'td'))}</table>`
}

function rowTable(title: string, rows: readonly Row[]): Html {
  const cells = rows.map(({ label, mentions, relevant, negative }) => [
    label,
    countOf(mentions),
    countOf(relevant),
    countOf(negative),
  ])
  return html`${heading(`${title}s`)}${tableOf([title, 'Mentions', 'Relevant', 'Negative'], cells)}`
}

function listOf(title: string, mentions: readonly Schema<'Mention'>[]): Html {
  return html`${heading(title)}${mentions.map(entryOf)}`
}

function entryOf(mention: Schema<'Mention'>): Html {
  const address = cleanLine(mention.post.url)
  const link = /^https?:\/\//i.test(address) && html` <a href="${address}" style="color:#1f5fbf">Open the post</a>`
  return html`<p style="margin:0 0 12px"><strong>${authorOf(mention)}</strong><br>
${excerptOf(mention, EXCERPT)}${link}</p>\n`
}
