/**
 * `npm run eval` judges the built-in classifier on every labelled set (`eval-classifier.ts`). With `--model URL` it
 * compares the built-in classifier with a language model on real mentions (`eval-model.ts`).
 */
const asksModel = process.argv.some((argument) => argument === '--model' || argument.startsWith('--model='))
await import(asksModel ? './eval-model.ts' : './eval-classifier.ts')
