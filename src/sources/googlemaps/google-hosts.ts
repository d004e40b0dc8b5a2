/** Ends of the domains under which Google Search and Maps are reached. */
const ENDS = [
  'com ad ae al am as at az ba be bf bg bi bj bs bt by ca cat cd cf cg ch ci cl cm cn cv cz de dj dk dm dz ee es ' +
    'fi fm fr ga ge gg gl gm gp gr gy',
  'hn hr ht hu ie im iq is it je jo kg ki kz la li lk lt lu lv md me mg mk ml mn ms mu mv mw ne nl no nr nu pl pn ' +
    'ps pt ro rs ru rw sc se sh si sk',
  'sm sn so sr st td tg tk tl tm tn to tt vg vu ws',
  'co.ao co.bw co.ck co.cr co.id co.il co.in co.jp co.ke co.kr co.ls co.ma co.mz co.nz co.th co.tz co.ug co.uk ' +
    'co.uz co.ve co.vi co.za co.zm co.zw',
  'com.af com.ag com.ai com.ar com.au com.bd com.bh com.bn com.bo com.br com.by com.bz com.co com.cu com.cy ' +
    'com.do com.ec com.eg com.et com.fj com.gh',
  'com.gi com.gt com.hk com.jm com.kh com.kw com.lb com.ly com.mm com.mt com.mx com.my com.na com.nf com.ng ' +
    'com.ni com.np com.om com.pa com.pe com.pg',
  'com.ph com.pk com.pr com.py com.qa com.sa com.sb com.sg com.sl com.sv com.tj com.tr com.tw com.ua com.uy ' +
    'com.vc com.vn',
].flatMap((line) => line.split(' '))

/** Where links to places are shortened, and the sites to which they lead. Other parts of Google are not among them. */
export const LINK_HOSTS: readonly string[] = [
  'maps.app.goo.gl',
  'goo.gl',
  'g.page',
  'search.google.com',
  ...ENDS.flatMap((end) => [`google.${end}`, `www.google.${end}`, `maps.google.${end}`]),
]

/**
 * Whether an address leads to one of Google's sites for links and maps, at its usual port and as nobody in particular.
 */
export function isOnGoogle(url: URL): boolean {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return false
  return ADDRESSED.has(url.hostname) && url.port === '' && url.username === '' && url.password === ''
}

const ADDRESSED = new Set(LINK_HOSTS)

/** Where Google asks about cookies before it shows a page. These are read, never asked. */
export const CONSENT_HOSTS: readonly string[] = ENDS.map((end) => `consent.google.${end}`)
