/** The two-letter top-level domains: countries. Without them `node.js` would be taken for a domain. */
const COUNTRIES = new Set(
  (
    'ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bv bw by bz ' +
    'ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz ' +
    'de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu ' +
    'gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ' +
    'ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ' +
    'ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om ' +
    'pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr ss ' +
    'st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ' +
    'ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw'
  ).split(' '),
)
const DOMAIN =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,62})\.)+(xn--[a-z0-9-]{1,59}|[\p{L}\p{M}]{2,24})(?::\d{1,5})?(?:[/?#]\S*)?$/u
const SCHEME = /^[a-z][a-z0-9+.-]{0,20}:\/\/\S/

/** Whether a folded term looks like a domain or an address, so that links are searched for it. */
export function isAddress(folded: string): boolean {
  if (SCHEME.test(folded)) return true
  const top = DOMAIN.exec(folded)?.[1]
  return top !== undefined && (!/^[a-z]{2}$/.test(top) || COUNTRIES.has(top))
}
