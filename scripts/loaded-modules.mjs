// Loaded before a program (node --import): prints the modules that it has loaded when it ends.
import { registerHooks } from 'node:module'

const loaded = new Set()
registerHooks({
  load(url, context, nextLoad) {
    loaded.add(url)
    return nextLoad(url, context)
  },
})
process.on('exit', () => process.stderr.write(`\nloaded ${JSON.stringify([...loaded])}\n`))
