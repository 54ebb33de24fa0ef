/** The code of a screen could not be loaded: the server is away, or has another version by now. */
export class ScreenNotLoaded extends Error {
  override readonly name = 'ScreenNotLoaded';
}
