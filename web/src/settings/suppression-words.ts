import type { Suppression } from '../api/suppressions.ts'

export const suppressionWords = {
  hint:
    'Channels do not write to these recipients, because a mail server refused the address for good or because the ' +
    'reader reported a mail as spam. Mails about accounts are still sent.',
  none: 'Every recipient can get mail',
  noneHint: 'A recipient whose address bounces, or who reports a mail as spam, appears here.',
  caption: 'Recipients that channels do not write to, the newest first',
  columns: { email: 'Recipient', reason: 'Why', since: 'Since', actions: 'Actions' },
  reasons: { bounce: 'Address refused', complaint: 'Reported as spam' } satisfies Record<Suppression['reason'], string>,
  onlyOperator: 'A person who reported spam gets mail again only when the operator of Earshot allows it.',
  whoAllows: 'Owners and admins unblock recipients.',
  allow: 'Unblock',
  allowTitle: (email: string) => `Unblock ${email}?`,
  allowText:
    'Do this when the mailbox works again. It holds for every workspace of this installation, and one more refusal ' +
    'blocks the address again. The recipient may have to confirm the address anew.',
  allowed: (email: string) => `${email} can get mail again`,
  older: 'Show older ones',
} as const
