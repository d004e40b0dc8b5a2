import type { Translation } from '../kit/translation.ts'
import type { suppressionWords as english } from './suppression-words.ts'

export const suppressionWords: Translation<typeof english> = {
  hint:
    'Kanäle schreiben nicht an diese Empfänger, weil ein Mailserver die Adresse endgültig abgewiesen hat oder eine ' +
    'Mail als Spam gemeldet wurde. Mails zu Konten werden weiter gesendet.',
  none: 'Alle Empfänger können Mail bekommen',
  noneHint: 'Hier erscheint, wessen Adresse abgewiesen wird oder wer eine Mail als Spam meldet.',
  caption: 'Empfänger, an die Kanäle nicht schreiben, die neuesten zuerst',
  columns: { email: 'Empfänger', reason: 'Grund', since: 'Seit', actions: 'Aktionen' },
  reasons: { bounce: 'Adresse abgewiesen', complaint: 'Als Spam gemeldet' },
  onlyOperator: 'Wer Spam gemeldet hat, bekommt erst wieder Mail, wenn der Betreiber von Earshot es erlaubt.',
  whoAllows: 'Inhaber und Admins entsperren Empfänger.',
  allow: 'Entsperren',
  allowTitle: (email) => `${email} entsperren?`,
  allowText:
    'Tu das, wenn das Postfach wieder funktioniert. Es gilt für alle Arbeitsbereiche dieser Installation, und eine ' +
    'weitere Abweisung sperrt die Adresse erneut. Vielleicht muss der Empfänger die Adresse neu bestätigen.',
  allowed: (email) => `${email} kann wieder Mail bekommen`,
  older: 'Ältere zeigen',
}
