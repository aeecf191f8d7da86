/** Why a picture is not accepted, in words for the shop owner. */
export const NOT_A_PICTURE = 'The file is not a JPEG, PNG, GIF, WebP or AVIF picture.'
export const TOO_SLOW = 'The picture takes too long to decode.'
export const TOO_MUCH_MEMORY = 'The picture takes too much memory to decode.'
