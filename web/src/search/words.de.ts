import { formatCount, formatPlural } from '../kit/count.tsx'
import { formatDuration } from '../kit/time.tsx'
import type { Translation } from '../kit/translation.ts'
import type { words as english } from './words.ts'

function posts(count: number): string {
  return formatPlural(count, 'Beitrag', 'Beiträge')
}

export const words: Translation<typeof english> = {
  title: 'Suche',
  term: 'Begriff',
  placeholder: 'Ein Name, ein Produkt oder eine Wortfolge',
  search: 'Suchen',
  begin: 'Sieh, was gerade über einen Begriff geschrieben wird',
  beginHint:
    'Die Suche fragt die Plattformen nach Beiträgen und beurteilt jeden wie ein Suchbegriff. Nichts wird ' +
    'gespeichert oder berechnet.',
  searching: 'Die Plattformen werden gefragt. Jede hat zehn Sekunden.',
  matching: (matched, shown) =>
    shown === matched
      ? `${posts(shown)}, alle würden passen`
      : `${formatCount(matched)} von ${formatPlural(shown, 'Beitrag', 'Beiträgen')} ` +
        `${matched === 1 ? 'würde' : 'würden'} passen`,
  watch: 'Beobachten',
  watchTitle: (term) => `„${term}“ beobachten`,
  found: (count, shown, tookMs) =>
    [posts(count), ...(shown < count ? [`${formatCount(shown)} gezeigt`] : []), formatDuration(tookMs)].join(' · '),
  noPosts: 'Gerade keine Beiträge',
  nothing: (names) => `Nichts gefunden auf ${names}.`,
  emptyTitle: 'In letzter Zeit hat niemand darüber geschrieben',
  emptyHint: 'Ein Suchbegriff sammelt Beiträge ab jetzt. Seltene Begriffe brauchen Zeit.',
  notSearched: 'Nicht durchsucht',
  missing: (settings) => `braucht ${settings}`,
  troubles: {
    unavailable: 'hat nicht geantwortet',
    timeout: 'hat länger als zehn Sekunden gebraucht',
    not_configured: 'kann nicht sofort durchsucht werden',
  },
  off: 'ist abgeschaltet',
  openSources: 'Wer diese Installation betreibt, setzt das in ihrer Umgebung.',
  matched: 'Passt',
  dropped: 'Aussortiert',
  followers: (count) => formatPlural(count, 'Follower', 'Follower'),
  more: 'Ganzen Beitrag zeigen',
  less: 'Weniger zeigen',
}
