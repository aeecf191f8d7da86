const DISPLAY_NAME = Symbol.for('fastify.display-name')

/**
 * Tells Fastify the name of a plugin. Without one it looks for the plugin among all loaded modules, which takes a fifth of
 * the time in which a service is built.
 */
export function namedPlugin<Plugin extends { readonly name: string }>(plugin: Plugin): Plugin {
  return Object.assign(plugin, { [DISPLAY_NAME]: plugin.name })
}
