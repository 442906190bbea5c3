# Installation of the checks and tools, and `cpack`: one Debian package for each LLVM.
include(CMakePackageConfigHelpers)
set(_config_dir "${CMAKE_INSTALL_LIBDIR}/cmake/torch_tidy_checks")
configure_package_config_file(cmake/torch_tidy_checks-config.cmake.in
  "${PROJECT_BINARY_DIR}/torch_tidy_checks-config.cmake" INSTALL_DESTINATION "${_config_dir}"
  PATH_VARS CMAKE_INSTALL_BINDIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/torch_tidy_checks-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/torch_tidy_checks-config.cmake"
  "${PROJECT_BINARY_DIR}/torch_tidy_checks-config-version.cmake" cmake/TorchTidyEnable.cmake
  DESTINATION "${_config_dir}" COMPONENT tools)
install(FILES LICENSE README.md DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT tools)
install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT tools)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME "torch-tidy-${TORCH_TIDY_LLVM}")
set(CPACK_PACKAGE_VENDOR "torch-tidy")
set(CPACK_PACKAGE_CONTACT "the torch-tidy developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Checks for host access to LibTorch tensors, for LLVM ${TORCH_TIDY_LLVM}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};torch_tidy;checks;/;${PROJECT_BINARY_DIR};torch_tidy;tools;/")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# clang's own headers; Ninja runs the project runner's jobs.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libclang-common-${TORCH_TIDY_LLVM}-dev, ninja-build")
# To precompile LibTorch, and to read what changed.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "clang-${TORCH_TIDY_LLVM}, git")
# The programs have the same names for every LLVM.
set(CPACK_DEBIAN_PACKAGE_PROVIDES torch-tidy)
set(CPACK_DEBIAN_PACKAGE_CONFLICTS torch-tidy)
set(CPACK_STRIP_FILES ON)
include(CPack)
