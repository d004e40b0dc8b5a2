/** As much of jsdom as tests of pages use; its own types would bring those of browsers to all of the code. */
declare module 'jsdom' {
  export class JSDOM {
    constructor(html: string, options?: { url?: string; runScripts?: 'outside-only'; contentType?: string })
    // biome-ignore lint/suspicious/noExplicitAny: a window, whose type the code does not have
    readonly window: any
  }
}
