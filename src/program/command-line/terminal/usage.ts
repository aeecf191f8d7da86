import { Command, type ErrorOptions, type Help } from 'commander'
import { EXAMPLES } from '../examples.ts'

/** `licet company create`: a command as people type it. */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
}

const inQuotes = /'([^']*)'/

/** Commander's message, such as `error: option '--limit <n>' argument 'x' is invalid. It must be a number.` */
function invalidValue(message: string): string {
  const isOption = message.startsWith("error: option '")
  const start = isOption ? "' argument '" : "value '"
  const end = message.indexOf("' is invalid")
  const value = message.slice(message.indexOf(start) + start.length, end)
  const reason = message.slice(end)
  const [, option = ''] = inQuotes.exec(message) ?? []
  const [, argument = ''] = /argument '(\w+)'/.exec(reason) ?? []
  return `${isOption ? option.split(' ')[0] : argument}: "${value}" is not valid.${reason.slice(reason.indexOf('.') + 1)}`
}

/** A command whose errors are sentences that say what to type instead, with everything that is missing at once. */
export class LicetCommand extends Command {
  override createCommand(name: string): LicetCommand {
    return new LicetCommand(name)
  }

  override error(message: string, options?: ErrorOptions): never {
    return super.error(this.#sentence(message, options?.code ?? ''), options)
  }

  /** Commander shows the help of a command that lacks a sub-command; naming the sub-commands is shorter. */
  override help(context?: { error: boolean } | ((text: string) => string)): never {
    if (typeof context !== 'object' || !context.error) return super.help()
    const names = this.commands.map((command) => command.name())
    const sentence =
      this.parent === null
        ? 'Name a command, such as "licet serve". "licet --help" lists them.'
        : `Name a command of ${pathOf(this)}: ${names.join(', ')}.`
    return super.error(sentence, { code: 'commander.noCommand' })
  }

  #sentence(message: string, code: string): string {
    const [, name = ''] = inQuotes.exec(message) ?? []
    const [, similar] = /\(Did you mean (?:one of )?(.*)\?\)/.exec(message) ?? []
    const path = pathOf(this)
    const advice =
      similar === undefined
        ? `"${path} --help" lists them.`
        : `Did you mean ${similar.replace(/, (?=[^,]*$)/, ' or ')}?`
    if (code === 'commander.unknownCommand') return `${path} has no command "${name}". ${advice}`
    if (code === 'commander.unknownOption') return `${path} has no option ${name}. ${advice}`
    if (code === 'commander.missingMandatoryOptionValue' || code === 'commander.missingArgument')
      return `${path} ${this.#unknown()}needs ${new Intl.ListFormat('en').format(this.#missing())}. "${path} --help" has an example.`
    if (code === 'commander.optionMissingArgument') return `${name} needs a value.`
    if (code === 'commander.invalidArgument') return invalidValue(message)
    return message.replace(/^error: (.)/, (_, first: string) => first.toUpperCase())
  }

  /** A misspelt option is the likely reason why another one is missing. */
  #unknown(): string {
    const unknown = this.args.find((text) => text.startsWith('--'))
    return unknown === undefined ? '' : `has no option ${unknown}, and `
  }

  /** The arguments and options that the command needs and did not get. */
  #missing(): string[] {
    const given = this.args.filter((text) => !text.startsWith('-')).length
    const missingArguments = this.registeredArguments.flatMap((argument, index) =>
      argument.required && index >= given ? [`<${argument.name()}>`] : [],
    )
    const missingOptions = this.options.flatMap((option) =>
      option.mandatory && this.getOptionValue(option.attributeName()) === undefined ? [option.flags] : [],
    )
    return [...missingArguments, ...missingOptions]
  }
}

/** The required options stand in the usage line, and say so in the list. */
const HELP: Partial<Help> = {
  commandUsage(command) {
    const required = command.options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags)
    const needed = required.length === 0 ? '' : ` ${required.join(' ')}`
    return `${pathOf(command)}${needed} ${command.usage()}`
  },
  optionDescription({ description, mandatory, defaultValue }) {
    const remark = mandatory
      ? ['required']
      : defaultValue === undefined
        ? []
        : [`default: ${JSON.stringify(defaultValue)}`]
    return remark.length === 0 ? description : `${description} (${remark.join(', ')})`
  },
}

/** Adds an example to the help of each command. */
export function addExamples(program: Command): Command {
  for (const command of program.commands) {
    const example = EXAMPLES[pathOf(command)]
    if (example !== undefined) command.addHelpText('after', `\nExample:\n  ${example}`)
    addExamples(command)
  }
  return program
}

/** The commands that do something: groups such as `company` only hold others. */
export function leavesOf(program: Command): Command[] {
  return program.commands.flatMap((command) => [
    ...(command.registeredArguments.length > 0 || command.commands.length === 0 ? [command] : []),
    ...leavesOf(command),
  ])
}

export function createRoot(name: string): LicetCommand {
  const root = new LicetCommand(name)
  root.configureHelp(HELP)
  return root
}
