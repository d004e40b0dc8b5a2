import { numberedByPurpose, readSeeds } from './seed-file.ts'

export interface IssueSeed {
  title: string
  text: string
  purpose: 'bug_report' | 'feedback' | 'question' | 'none'
}

/** What a developer writes under a repository. Every issue stands as it is, and once more in one of the forms. */
export function issueSeeds(): IssueSeed[] {
  const issues = readSeeds('issues', ['purpose', 'title', 'body'])
  return numberedByPurpose(issues).flatMap(([issue, number]) => {
    const purpose = issue.purpose as IssueSeed['purpose']
    const forms = FORMS[purpose]
    const form = forms[number % forms.length]!
    return (form === PLAIN ? [PLAIN] : [PLAIN, form]).map((asked) => ({
      title: issue.title,
      text: filled(asked, issue.title, issue.body),
      purpose,
    }))
  })
}

function filled(form: string, title: string, body: string): string {
  return form.replace('{title}', title).replace('{body}', body).trim()
}

const PLAIN = '{title}\n{body}'
/** The forms that projects ask for, around what was written; most issues have none. */
const FORMS: Record<IssueSeed['purpose'], readonly string[]> = {
  bug_report: [
    PLAIN,
    [
      '{title}',
      '### Describe the bug',
      '{body}',
      '### To Reproduce',
      'See above',
      '### Expected behavior',
      'It should work.',
      '### System information',
      'Ubuntu 22.04',
    ].join('\n'),
    [
      '{title}',
      '**Steps to reproduce**',
      '1. Install',
      '2. Run',
      '**Actual behavior**',
      '{body}',
      '**Environment**',
      'Version 2.3.1, macOS 14',
    ].join('\n'),
    [
      '{title}',
      '{body}',
      'Does this happen without extensions? Yes. Version: 1.80. OS: Windows 11. Steps to Reproduce: 1. 2.',
    ].join('\n'),
  ],
  feedback: [
    PLAIN,
    [
      '{title}',
      '### Is your feature request related to a problem?',
      '{body}',
      '### Describe the solution you would like',
      'See the title.',
      '### Alternatives',
      'None',
    ].join('\n'),
    ['{title}', '### Describe the feature and the motivation', '{body}', '### Additional context', 'None'].join('\n'),
  ],
  question: [
    PLAIN,
    ['{title}', '### Question', '{body}', '```js', 'const one = create(options)', 'await one.run()', '```'].join('\n'),
    ['{title}', 'Hi, {body} Thanks!', 'Version 2.1 on Ubuntu, installed with pip'].join('\n'),
  ],
  none: [PLAIN],
}
