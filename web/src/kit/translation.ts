/**
 * The words of a module in another language: the same keys, and functions of the same arguments. A key that is missing
 * or unknown is an error of the compiler.
 */
export type Translation<Words> = Words extends string
  ? string
  : Words extends (...given: infer Given) => infer Result
    ? (...given: Given) => Translation<Result>
    : { readonly [Key in keyof Words]: Translation<Words[Key]> }
