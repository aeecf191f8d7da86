/** A mistake in a file of a theme, for the person who writes the theme. */
export type ThemeFault = { file: string; line: number | undefined; message: string }
