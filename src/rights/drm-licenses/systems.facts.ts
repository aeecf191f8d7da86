/** The systems of commercial DRM that players ask for licenses. */
export const DRM_SYSTEMS = ['widevine', 'playready', 'fairplay'] as const
export type DrmSystem = (typeof DRM_SYSTEMS)[number]
