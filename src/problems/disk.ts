/** Problems with files and folders of this machine. */

export const DISK_CODES = {
  "disk/not-writable": {
    rule: "plancast can write the project's state.",
    cause: "The disk is full, or you have no permission to write to the folder.",
    fix: "Free some space or fix the permissions, then run again.",
  },
  "disk/state-tracked": {
    rule: "git does not track the project's folder `.plancast`.",
    cause:
      "Somebody committed files of that folder. It contains the state of one machine, and plancast does not trust state that comes with a checkout.",
    fix: "If you did not make these files, delete the folder. Then run `git rm -r --cached .plancast`, and add `.plancast/` to `.gitignore`.",
  },
  "disk/state-unsafe": {
    rule: "The project's folder `.plancast` contains only regular files and folders.",
    cause:
      "The folder is a symbolic link, or it contains a link, a pipe or a device. plancast did not make it.",
    fix: "Remove the file or folder in the message.",
  },
  "disk/git-unreadable": {
    rule: "plancast can find out whether git tracks the folder `.plancast`.",
    cause: "git is not installed, or the repository is damaged or missing.",
    fix: "Install git, and make the repository readable. If this is a copied submodule or worktree, its file `.git` points to a missing repository: delete that file.",
  },
  "disk/linked": {
    rule: "plancast does not write through a symbolic link in a checkout.",
    cause: "The file, or a folder above it, is a symbolic link.",
    fix: "Replace the link with the file or folder itself, or name another file.",
  },
  "disk/outside": {
    rule: "A file that `plancast.yaml` names is in the project, but not in `.git` or `.plancast`.",
    cause: "A path in `plancast.yaml` leads out of the project, or into `.git` or `.plancast`.",
    fix: "Name a file in the project.",
  },
} as const;
