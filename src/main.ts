import { runCommandLine } from '#program/command-line/run.ts'

await runCommandLine(process.argv)
