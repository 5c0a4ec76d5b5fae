import { importClosure } from './import-closure.ts'
import { PATHS } from './paths.ts'

/** npm run reading-distance [-- --files]: counts the files between the source of a figure and its answer. */
const root = process.cwd()
for (const [name, entries] of Object.entries(PATHS)) {
  const { files, typesOnly, lines } = importClosure(root, entries)
  console.log(`${name}: ${files.length} files, ${typesOnly} of them only for types; ${lines} lines`)
  if (process.argv.includes('--files')) console.log(files.map((file) => `  ${file}`).join('\n'))
}
