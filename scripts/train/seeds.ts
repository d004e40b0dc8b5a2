import type { Sentiment } from '../../src/domain/mention/classification.ts'

/**
 * Opinion words chosen by hand in languages of which the labelled sets hold little or nothing. Each is learned as a text
 * of one word, so that plain praise and plain complaints are understood there too.
 */
const WORDS: Record<Exclude<Sentiment, 'neutral'>, string> = {
  positive: `super toll großartig begeistert empfehlenswert ausgezeichnet hervorragend perfekt zufrieden klasse liebe hilfreich zuverlässig
    génial excellent parfait formidable magnifique bravo adore recommande satisfait pratique rapide utile
    excelente genial perfecto increíble encanta recomiendo maravilloso fantástico contento estupendo útil
    ótimo ótima excelente perfeito perfeita recomendo maravilhoso incrível adoro amei amo fantástico satisfeito
    ottimo eccellente perfetto fantastico consiglio adoro meraviglioso utile
    geweldig uitstekend fantastisch prachtig aanrader tevreden handig
    最高 素晴らしい 便利 大好き 好き 嬉しい 楽しい おすすめ 助かる 完璧 良い 綺麗
    很好 喜欢 推荐 优秀 完美 太棒了 好用 方便 满意
    отлично супер прекрасно рекомендую люблю спасибо удобно доволен świetny polecam doskonały harika mükemmel teşekkürler bagus mantap`,
  negative: `schlecht furchtbar schrecklich enttäuscht enttäuschend katastrophe fehlerhaft unzuverlässig ärgerlich mies wütend unbrauchbar abzocke
    nul nulle déçu déçue horrible catastrophe décevant inutile arnaque cassé pire mauvais lent
    horrible terrible pésimo decepcionado decepcionante estafa inútil fatal malo peor asco lento
    péssimo péssima horrível terrível decepcionado decepcionante ruim pior inútil lixo golpe lento
    pessimo orribile terribile deluso deludente inutile truffa schifo peggiore
    slecht vreselijk verschrikkelijk teleurgesteld waardeloos oplichting
    最悪 ひどい 嫌い 残念 使えない 不便 遅い 壊れた がっかり 悪い 困る バグ
    很差 垃圾 失望 糟糕 讨厌 太慢 难用 骗子
    ужасно плохо отвратительно разочарован кошмар обман okropny tragedia beznadziejny berbat kötü rezalet jelek kecewa`,
}

export interface Seed {
  id: string
  text: string
  sentiment: Sentiment
}

export function seeds(): Seed[] {
  return (['positive', 'negative'] as const).flatMap((sentiment) =>
    WORDS[sentiment].split(/\s+/).map((text) => ({ id: `${sentiment}:${text}`, text, sentiment })),
  )
}
