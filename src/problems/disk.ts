/** Problems with files and folders of this machine. */

export const DISK_CODES = {
  "disk/not-writable": {
    rule: "Project state can be written.",
    cause: "The disk is full, or the folder may not be written.",
    fix: "Free some space or fix the permissions, then run again.",
  },
  "disk/state-tracked": {
    rule: "git does not track the project's folder `.plancast`.",
    cause:
      "Somebody committed files of that folder. It holds the state of one machine, and plancast does not trust state that comes with a checkout.",
    fix: "If you did not make these files, delete the folder. Then run `git rm -r --cached .plancast`, and add `.plancast/` to `.gitignore`.",
  },
  "disk/state-unsafe": {
    rule: "The project's folder `.plancast` holds real files and folders only.",
    cause:
      "It is a symbolic link, or it contains a link, a pipe or a device. plancast makes none of these there.",
    fix: "Remove what the message names.",
  },
  "disk/git-unreadable": {
    rule: "plancast can find out whether git tracks the folder `.plancast`.",
    cause: "git is not installed, or the repository is damaged or missing.",
    fix: "Install git, and make the repository readable. If this is a copied submodule or worktree, its file `.git` points to a missing repository: delete that file.",
  },
  "disk/linked": {
    rule: "plancast writes through no symbolic link in a checkout.",
    cause: "The file, or a folder above it, is a symbolic link.",
    fix: "Replace the link with the file or folder itself, or name another file.",
  },
  "disk/outside": {
    rule: "A file that the project names is in the project, and not in the folders of git and plancast.",
    cause: "`lockfile:` in `plancast.yaml` leads into `.git` or `.plancast`.",
    fix: "Name a file in the project.",
  },
} as const;
