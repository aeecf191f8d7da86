/** The key that goes with a letter: Apple's keyboards have one of their own for that. */
export const MOD = /mac|iphone|ipad/i.test(navigator.platform) ? '⌘' : 'Ctrl'
